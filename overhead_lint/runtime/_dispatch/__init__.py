"""Run compiled code directly, once Dynamo's own guards have passed.

``dynamo`` is the only module that touches private torch names; ``ambient`` says whether this
moment is one that only stock ``torch.compile`` may serve; ``routes`` what a call resolves to;
``dispatcher`` ties them together; ``wrappers`` dresses the result as stock does.
Nothing here is imported before the first call of ``compile``: it pulls in ``torch._dynamo``.
"""
