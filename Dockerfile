# Candor as an image: packages, generated code and pages are made here, so that a container starts in seconds.
#   docker build -t candor .
FROM node:24-bookworm-slim

WORKDIR /app
# The embedded database is not for containers, and refuses to run as root; nor needs anything else to be root.
RUN mkdir /data && chown node:node /app /data
USER node
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 HOST=0.0.0.0 PORT=3000 DATA_DIR=/data

# First what changes seldom. The packages that only build are needed: this is where it builds.
COPY --chown=node:node package.json package-lock.json .npmrc ./
RUN npm ci --include=dev --ignore-scripts=false --loglevel=error

COPY --chown=node:node . .
RUN npm run -s build

VOLUME /data
EXPOSE 3000
# Live, not ready: some supervisors (Swarm) replace an unhealthy container, which mends no database or file store.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=6 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health/live`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["npm", "start", "-s"]
