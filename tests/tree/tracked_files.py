"""Lists the files that the tests of the tree examine."""
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def tracked():
    """Returns the sorted names of the files that git tracks. In an unpacked archive, which has no git, these are all files
    outside build/. third_party/ is left out, because its code is not the project's."""
    try:
        listing = subprocess.run(['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'], cwd=ROOT,
                                 capture_output=True, check=True).stdout
        names = [name for name in listing.decode().split('\0') if name]
    except (OSError, subprocess.CalledProcessError):
        names = [path.relative_to(ROOT).as_posix() for path in ROOT.rglob('*') if path.is_file()]
    return sorted(name for name in set(names) if not name.startswith(('build/', 'third_party/')) and (ROOT / name).is_file())
