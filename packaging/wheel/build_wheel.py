#!/usr/bin/env python3
"""build_wheel.py PROGRAM VERSION NOTICES DIRECTORY: makes a wheel with the program. `pip install` puts the program itself into the
environment's folder of scripts, so `widerow` runs without Python. Needs Debian's python3-wheel."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TAG = 'py3-none-manylinux_2_34_x86_64'
METADATA = """Metadata-Version: 2.1
Name: widerow
Version: {version}
Summary: Wide-table database in one program, for programs written for Apache Cassandra
License: Apache-2.0
Classifier: License :: OSI Approved :: Apache Software License
Classifier: Operating System :: POSIX :: Linux
Classifier: Topic :: Database :: Database Engines/Servers
Requires-Python: >=3.7
Description-Content-Type: text/markdown

{description}
"""
WHEEL = f"""Wheel-Version: 1.0
Generator: widerow
Root-Is-Purelib: false
Tag: {TAG}
"""


def main():
    program, version, notices, directory = sys.argv[1:]
    description = (ROOT / 'packaging/wheel/description.md').read_text()
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch)
        info, scripts = root / f'widerow-{version}.dist-info', root / f'widerow-{version}.data/scripts'
        info.mkdir()
        scripts.mkdir(parents=True)
        (info / 'METADATA').write_text(METADATA.format(version=version, description=description))
        (info / 'WHEEL').write_text(WHEEL)
        shutil.copy(ROOT / 'LICENSE', info / 'LICENSE')
        shutil.copy(notices, info / 'NOTICE')
        shutil.copy(program, scripts / 'widerow')
        (scripts / 'widerow').chmod(0o755)
        subprocess.run(['/usr/bin/python3', '-m', 'wheel', 'pack', '-d', directory, scratch], check=True, stdout=subprocess.DEVNULL)


if __name__ == '__main__':
    main()
