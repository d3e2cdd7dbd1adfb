# The page behind nginx: docker build -f deploy/page.Dockerfile .
# `vestibule configure` has written its output to ./out; see docs/operations.md.
FROM debian:bookworm-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends nginx libnginx-mod-http-brotli-static \
  && rm -rf /var/lib/apt/lists/* /etc/nginx/sites-enabled/default
COPY out/vestibule.conf /etc/nginx/conf.d/vestibule.conf
COPY out/page /var/www/vestibule
EXPOSE 80 443
CMD ["nginx", "-g", "daemon off;"]
