# SPDX-License-Identifier: Apache-2.0
# Writes FILE with what COMMAND, a list of words, prints.
execute_process(COMMAND ${COMMAND} OUTPUT_FILE "${FILE}" COMMAND_ERROR_IS_FATAL ANY)
