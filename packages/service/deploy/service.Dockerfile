# The service: docker build -f packages/service/deploy/service.Dockerfile .
# The digest of a newer image: docker buildx imagetools inspect node:24-bookworm-slim
FROM node:24-bookworm-slim@sha256:235600a8101ab264e117b1768e925532262668dc9b581ef1dd7d96ced463b8e7 AS build
WORKDIR /build
COPY . .
RUN npm ci --ignore-scripts && npm run build:service

FROM node:24-bookworm-slim@sha256:235600a8101ab264e117b1768e925532262668dc9b581ef1dd7d96ced463b8e7
WORKDIR /opt/vestibule
COPY package.json package-lock.json .npmrc ./
COPY packages/contract/package.json packages/contract/openapi.yaml packages/contract/
COPY packages/service/package.json packages/service/
RUN npm ci --omit=dev --ignore-scripts --workspace=@vestibule/service && npm cache clean --force
COPY --from=build /build/packages/contract/dist packages/contract/dist
COPY --from=build /build/packages/service/dist packages/service/dist
COPY packages/service/deploy packages/service/deploy
ENV NODE_ENV=production HOST=0.0.0.0
USER node
EXPOSE 4001
HEALTHCHECK --interval=5s CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT ?? 4001) + '/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "packages/service/dist/cli/vestibule.js", "serve"]
