# The first stage builds Candor, the second contains only what runs, so that a container starts in seconds.
#   docker build -t candor .
FROM node:24-bookworm-slim AS build

WORKDIR /app
ENV NEXT_TELEMETRY_DISABLED=1
# Rarely changed files first, for the layer cache.
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev --ignore-scripts=false --loglevel=error
COPY . .
RUN npm run -s build
# Remove what is only needed for builds: Node (the image has its own), optional peers that npm keeps (Next's browser, Prisma's
# compiler), source maps and types.
RUN npm prune --omit=dev --ignore-scripts --loglevel=error \
  && rm -rf .next/cache node_modules/.bin/node \
  && cd node_modules && rm -rf node @next/swc-* postgres-15 @playwright playwright playwright-core @typescript typescript \
  && find . -type f \( -name "*.map" -o -name "*.d.ts" -o -name "*.d.mts" -o -name "*.d.cts" \) -delete
RUN mkdir /image && mv node_modules .next dist public prisma package.json next.config.mjs /image/ \
  && cp --parents lib/tools/launch/*.mjs lib/platform/mail/liquid-*.mjs lib/platform/env.ts lib/backup/unfinished-restore.ts /image/ \
  && cp -r --parents docs/guides /image/

FROM node:24-bookworm-slim

WORKDIR /app
# The embedded database refuses to run as root, and nothing needs root.
RUN mkdir /data && chown node:node /app /data
USER node
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
COPY --from=build --chown=node:node /image ./

VOLUME /data
EXPOSE 3000
# Liveness instead of readiness: some supervisors (Swarm) replace an unhealthy container, which wouldn't fix a database or
# file store.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=6 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health/live`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Not through npm, which would keep running and use 55 MB.
CMD ["node", "lib/tools/launch/start.mjs"]
