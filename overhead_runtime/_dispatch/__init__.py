"""Run compiled code directly, once Dynamo's own guards have passed.

``dynamo`` probes for the private torch names that are needed here and reads Dynamo's cache; ``ambient``
says whether this moment is one that only stock ``torch.compile`` may serve; ``routes`` what a call resolves
to, ``signature`` how its arguments are bound, ``around`` what stands around it; ``dispatcher`` ties them
together; ``shortcuts`` takes out of compiled code what a direct call does not need; ``wrappers`` dresses the
result as stock does. ``memory`` recognises a state in which the guards passed before: ``fingerprint`` finds
what they read (``comparisons``: those of several values), ``places`` what of it can be watched. ``native``
loads the compiled form, and ``gatekeeper`` keeps its gate in step with the dispatcher.

This package is the adapter to Dynamo: no private name of torch is used outside of it. Nothing in it is
imported before the first call of ``compile``: it pulls in ``torch._dynamo``.
"""
