# SPDX-License-Identifier: Apache-2.0
# Writes FILE with what PROGRAM prints for SHELL.
execute_process(COMMAND ${EMULATOR} "${PROGRAM}" "--completion=${SHELL}"
  OUTPUT_FILE "${FILE}" COMMAND_ERROR_IS_FATAL ANY)
