# The service: docker build -f deploy/service.Dockerfile .
FROM node:20-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build

FROM node:20-bookworm-slim
WORKDIR /opt/vestibule
COPY package.json package-lock.json ./
RUN npm ci --omit=dev && npm cache clean --force
COPY --from=build /build/dist-service dist-service
ENV NODE_ENV=production HOST=0.0.0.0
USER node
EXPOSE 4001
HEALTHCHECK --interval=5s CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT ?? 4001) + '/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist-service/vestibule.mjs", "serve"]
