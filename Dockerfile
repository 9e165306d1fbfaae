# Untested here: no Docker engine was at hand. Usage:
#   docker build -t stowage .
#   docker run --rm -v "$PWD:/w" -w /w stowage plan model.onnx --out out
FROM maven:3.9-eclipse-temurin-17 AS build
WORKDIR /src
COPY . .
RUN mvn -B -ntp -q -Prelease -DskipTests package \
    && mkdir /opt/stowage \
    && tar -xzf target/stowage-*-linux-*64.tar.gz -C /opt/stowage --strip-components=1

FROM debian:12-slim
COPY --from=build /opt/stowage /opt/stowage
ENV PATH="/opt/stowage/bin:${PATH}"
ENTRYPOINT ["stowage"]
CMD ["--help"]
