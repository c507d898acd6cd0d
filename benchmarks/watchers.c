/* Counts what CPython's watchers of dicts, classes and functions are told; for watchers.py, by ctypes. */
#include <Python.h>

static long dict_events, type_events, function_events;
static int dict_watcher = -1, type_watcher = -1, function_watcher = -1;

static int on_dict(PyDict_WatchEvent event, PyObject *dict, PyObject *key, PyObject *value)
{
    dict_events++;
    return 0;
}

static int on_type(PyTypeObject *type)
{
    type_events++;
    return 0;
}

static int on_function(PyFunction_WatchEvent event, PyFunctionObject *function, PyObject *value)
{
    if (event != PyFunction_EVENT_CREATE && event != PyFunction_EVENT_DESTROY)
        function_events++;
    return 0;
}

/* Ask for one watcher of each kind: 0, or -1 where one is not to be had. */
int watchers_begin(void)
{
    dict_watcher = PyDict_AddWatcher(on_dict);
    type_watcher = PyType_AddWatcher(on_type);
    function_watcher = PyFunction_AddWatcher(on_function);
    if (dict_watcher >= 0 && type_watcher >= 0 && function_watcher >= 0)
        return 0;
    PyErr_Clear();
    return -1;
}

int watchers_watch_dict(PyObject *dict) { return PyDict_Watch(dict_watcher, dict); }
int watchers_watch_type(PyObject *type) { return PyType_Watch(type_watcher, type); }
long watchers_dict_events(void) { return dict_events; }
long watchers_type_events(void) { return type_events; }
long watchers_function_events(void) { return function_events; }

/* The dict that an instance's attributes lie in, by address; makes one where they lie in the object itself. */
void *watchers_dict_of(PyObject *object)
{
    PyObject **slot = _PyObject_GetDictPtr(object);
    return slot == NULL ? NULL : *slot;
}

unsigned long watchers_type_version(PyObject *type) { return ((PyTypeObject *)type)->tp_version_tag; }
