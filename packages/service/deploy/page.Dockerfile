# The page behind nginx: docker build -f packages/service/deploy/page.Dockerfile .
# The output of `vestibule configure` is in ./out: docs/operations.md.
FROM debian:bookworm-slim@sha256:abd67ffcfa541b485a3dff59865ab629aa048a6c613e639d36e7456b0b229241
RUN apt-get update \
  && apt-get install -y --no-install-recommends nginx libnginx-mod-http-brotli-static \
  && rm -rf /var/lib/apt/lists/* /etc/nginx/sites-enabled/default \
  && ln -sf /dev/stdout /var/log/nginx/access.log \
  && ln -sf /dev/stderr /var/log/nginx/error.log
COPY out/vestibule.conf /etc/nginx/conf.d/vestibule.conf
COPY out/page /var/lib/vestibule/current/page
EXPOSE 80 443
CMD ["nginx", "-g", "daemon off;"]
