# SPDX-License-Identifier: Apache-2.0
#
# Helpers for the tests of this plugin, on top of those in tests/cli/lib.sh.

. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3
schema=$GPROFX_SOURCE/plugins/output-json/gprofx-report.schema.json

# need_jsonschema: finds a Python that has jsonschema, as the package of the system may serve only its own.
need_jsonschema() {
	for python in python3 /usr/bin/python3; do
		"$python" -c 'import jsonschema' 2>/dev/null && return
	done
	skip 'the Python module jsonschema is not installed'
}

# expect_valid FILE...: each is a report as the schema describes it, and hangs together.
expect_valid() {
	"$python" "$GPROFX_SOURCE/plugins/output-json/tests/check_report.py" "$schema" "$@" ||
		fail "not a valid report: $*"
}
