# syntax=docker/dockerfile:1

# What the site runs on: Node 24, converters, fonts, and the walls that documents are converted behind.
FROM node:24-bookworm-slim AS machine
RUN apt-get update \
  && apt-get install -y --no-install-recommends \
    bubblewrap \
    ca-certificates \
    fonts-crosextra-caladea \
    fonts-crosextra-carlito \
    fonts-liberation \
    fonts-noto-cjk \
    libreoffice-calc-nogui \
    libreoffice-impress-nogui \
    libreoffice-writer-nogui \
    p7zip-full \
    poppler-data \
    poppler-utils \
    tini \
  && rm -rf /var/lib/apt/lists/*

# Dependencies and the web part; nothing of this stage but its results goes further.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY scripts ./scripts
RUN node -e "import('./scripts/prepare/dependencies.mjs').then((m) => m.ensureDependencies({ dev: false }))"
COPY react-router.config.ts tsconfig.json vite.config.ts ./
COPY src ./src
RUN node -e "import('./scripts/prepare/web-build.mjs').then(async (m) => process.exit((await m.ensureWebBuild()) ? 0 : 1))"

FROM machine
WORKDIR /app
COPY --from=build /app ./
COPY LICENSE README.md ./
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin wendou \
  && install -d -o wendou -g wendou -m 0700 /data
USER wendou
ENV NODE_ENV=production \
  DATA_DIR=/data \
  PORT=8880 \
  TZ=Asia/Shanghai \
  WENDOU_SKIP_TOOLS=1
VOLUME /data
EXPOSE 8880
# Ready means: the database answers, and the process is not stopping.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=4 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
# tini takes in what converters leave behind; the start script becomes the server itself, so signals reach it.
ENTRYPOINT ["tini", "--"]
CMD ["node", "scripts/start.mjs"]
