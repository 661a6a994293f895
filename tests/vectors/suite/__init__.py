# SPDX-License-Identifier: Apache-2.0
"""The recipes of the recorded cases, one module per subject; each has a function `define`."""
