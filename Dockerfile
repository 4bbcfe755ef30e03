# One container, one library: mount a volume at /data and keep it.
FROM oven/bun:1.4.5-debian
RUN apt-get update \
  && apt-get install -y --no-install-recommends ffmpeg \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json bun.lock bunfig.toml tsconfig.json ./
COPY patches ./patches
RUN bun install --frozen-lockfile --production
COPY db ./db
COPY src ./src
RUN mkdir /data && chown bun:bun /data
USER bun
ENV HOST=0.0.0.0 DATA_DIR=/data
VOLUME /data
EXPOSE 4747
HEALTHCHECK CMD bun -e 'process.exit((await fetch("http://127.0.0.1:4747/health")).ok ? 0 : 1)'
CMD ["bun", "src/main.ts", "serve"]
