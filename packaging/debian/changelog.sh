#!/usr/bin/env bash
# changelog.sh VERSION: prints the changelog of the Debian package. docs/internals/changes has the changes themselves.
set -euo pipefail
cat <<END
widerow ($1-1) unstable; urgency=medium

  * The pages of docs/internals/changes in the source tree list the changes.

 -- The Widerow authors <widerow@localhost>  $(date -u -R -d "@${SOURCE_DATE_EPOCH:?}")
END
