"""Prints the routes of an installed Rucio server, one JSON text each line: the content of results/rucio-routes.json.

Run it with the Python of that server and its configuration (RUCIO_HOME). The modules of traces need a message broker when they
are imported; what they serve is one POST each.
"""
import importlib
import json
import pkgutil

from flask import Flask

import rucio.web.rest.flaskapi.v1 as api

ROUTES_OF_TRACES = {"traces": "POST /traces/", "nongrid_traces": "POST /nongrid_traces/"}

routes = set()
for module in pkgutil.iter_modules(api.__path__):
    if module.name in ROUTES_OF_TRACES:
        routes.add(ROUTES_OF_TRACES[module.name])
        continue
    imported = importlib.import_module(f"{api.__name__}.{module.name}")
    app = Flask(module.name)
    for name in ("blueprint", "blueprint_legacy"):
        if hasattr(imported, name):
            app.register_blueprint(getattr(imported, name)())
    for rule in app.url_map.iter_rules():
        if rule.endpoint != "static":
            routes.update(f"{method} {rule.rule}" for method in rule.methods - {"OPTIONS", "HEAD"})

print(json.dumps(sorted(routes, key=lambda route: route.split(" ")[::-1]), indent=2))
