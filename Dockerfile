# The command, the Python module and gnuplot on Debian 12, from the packages that `make package` makes.
FROM debian:12 AS build
RUN apt-get update && apt-get install -y --no-install-recommends make git ca-certificates
COPY . /bristle
WORKDIR /bristle
RUN make package

FROM debian:12-slim
COPY --from=build /bristle/build/packages/*.deb /packages/
RUN apt-get update \
 && apt-get install -y --no-install-recommends gnuplot-nox fonts-dejavu-core \
      /packages/bristle_*.deb /packages/python3-bristle_*.deb \
 && rm -rf /packages /var/lib/apt/lists/*
WORKDIR /work
ENTRYPOINT ["bristle"]
