#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Whatever a plugin and its options are called, printed settings can be read again, and the schema is one.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3
python3 -c 'import jsonschema, yaml' 2>/dev/null || skip 'the modules jsonschema and yaml of Python are missing'

while IFS= read -r name; do
	literal=${name//\"/\\\"}
	module odd -DNAME="\"output-$literal\"" -DKEY="\"key-$literal\"" <<-'END'
		#include "stub.h"
		static const struct gprofx_option table[] = {
			{.key = KEY, .type = GPROFX_STRING, .initial = "x", .help = "none"}};
		STUB_PLUGIN, .name = NAME, .reader = NULL, .emitter = &stub_emitter,
			GPROFX_OPTIONS(const char *, table) };
	END
	expect_status 0 "$GPROFX" --plugin=./odd.so --print-config
	cp out printed.yaml
	expect_status 0 "$GPROFX" --plugin=./odd.so --no-config --config=printed.yaml --print-config
	expect_empty err
	expect_status 0 "$GPROFX" --plugin=./odd.so --print-config-schema
	cp out schema.json
	NAME=$name python3 - <<-'END' || fail "wrong for $name"
		import json, os, jsonschema, yaml
		plugin, key = 'output-' + os.environ['NAME'], 'key-' + os.environ['NAME']
		schema = json.load(open('schema.json'))
		jsonschema.Draft7Validator.check_schema(schema)
		check = jsonschema.Draft7Validator(schema)
		printed = yaml.safe_load(open('printed.yaml'))
		assert printed['options'][plugin] == {key: 'x'}, printed['options'][plugin]
		assert not list(check.iter_errors(printed))
		for options, good in ({key: 'y'}, True), ({'other': 'y'}, False):
		    assert check.is_valid({'options': {plugin: options}}) == good
		    assert check.is_valid({'outputs': [{'format': 'stub', 'options': options}]}) == good
	END
done <<'END'
a"b
{}:#
~1%20
-:x
é,[y]
END
