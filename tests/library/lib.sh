# SPDX-License-Identifier: Apache-2.0
#
# Helpers for the tests of libgprofx, on top of those in tests/plugin/lib.sh. The first line of a
# test is
#
#   . "$GPROFX_SOURCE/tests/library/lib.sh"

. "$GPROFX_SOURCE/tests/plugin/lib.sh"

# link_program NAME SOURCE [OPTION...]: builds ./NAME from the source, with the public headers and the library.
link_program() {
	local folder
	folder=$(dirname "$GPROFX_LIBRARY")
	"$GPROFX_CC" -std=gnu11 -Wall -Wextra -Werror -I"$GPROFX_SOURCE/include" \
		${GPROFX_SANITIZE:+-fsanitize=$GPROFX_SANITIZE} -o "$1" "$2" "${@:3}" \
		-L"$folder" -lgprofx -Wl,-rpath,"$folder" 2>cc.log || {
		cat cc.log >&2
		fail "$2 does not compile"
	}
}
