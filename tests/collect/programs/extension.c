/* SPDX-License-Identifier: Apache-2.0 */
/* An extension of Python: call(N) calls inner() N times, without the lock of the interpreter. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

static volatile double sum;

__attribute__((noinline)) void
inner(void)
{
	for (int i = 0; i < 2000; i++)
		sum += i;
}

static PyObject *
call(PyObject *self, PyObject *arguments)
{
	long count, i;

	(void)self;
	if (!PyArg_ParseTuple(arguments, "l", &count))
		return NULL;
	Py_BEGIN_ALLOW_THREADS;
	for (i = 0; i < count; i++)
		inner();
	Py_END_ALLOW_THREADS;
	return PyLong_FromLong(count);
}

PyMODINIT_FUNC PyInit_extension(void);

PyMODINIT_FUNC
PyInit_extension(void)
{
	static PyMethodDef methods[] = {{"call", call, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};
	static struct PyModuleDef module = {
		PyModuleDef_HEAD_INIT, "extension", NULL, -1, methods, NULL, NULL, NULL, NULL};

	return PyModule_Create(&module);
}
