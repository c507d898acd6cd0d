# The linter for CI: docker build -t overhead-lint . && docker run --rm -v "$PWD:/code" overhead-lint src/
# It needs neither torch nor a GPU. --build-arg COMPILED= takes the Python form, which is built at once.
FROM python:3.12-bookworm AS build
ARG COMPILED=1
WORKDIR /source
COPY . .
RUN OVERHEAD_LINT_COMPILED="$COMPILED" python -m pip wheel --no-cache-dir --wheel-dir /wheels .

FROM python:3.12-slim-bookworm
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    python -m pip install --no-cache-dir --no-index /wheels/*.whl && useradd --uid 1000 --create-home lint
USER 1000
WORKDIR /code
ENTRYPOINT ["overhead-lint"]
CMD ["."]
