import path from 'node:path';
import fastifyStatic from '@fastify/static';
import { fastify, type FastifyInstance, type FastifyReply } from 'fastify';
import { hostnameOf } from '../platform/http/hostnames.ts';

const challenges = '/.well-known/acme-challenge/';

/**
 * Redirects http to https, and serves the challenges of a certificate authority (ACME, http-01).
 *
 * @param hosts those of the deployment
 * @param httpsPort of the deployment, as browsers reach it
 * @param acmeFolder in which the client of the authority writes the path of a challenge (webroot)
 */
export async function createRedirect(
  hosts: ReadonlySet<string>,
  httpsPort: number,
  acmeFolder: string | undefined,
): Promise<FastifyInstance> {
  const suffix = httpsPort === 443 ? '' : `:${httpsPort}`;
  const app = fastify({
    logger: false,
    frameworkErrors: (_error, _request, reply) => void refuse(reply, 400),
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => {
    done(null);
  });
  app.setNotFoundHandler((request, reply) => {
    const host = hostnameOf(request.raw.headers.host);
    const { url = '' } = request.raw;
    if (!hosts.has(host) || !url.startsWith('/')) return refuse(reply, 421);
    if (url.startsWith(challenges)) return refuse(reply, 404);
    return reply.redirect(`https://${host}${suffix}${url}`, 301);
  });
  if (acmeFolder !== undefined)
    await app.register(fastifyStatic, {
      root: path.join(acmeFolder, challenges),
      prefix: challenges,
      index: false,
    });
  await app.ready();
  return app;
}

const refuse = (reply: FastifyReply, status: number): FastifyReply => reply.status(status).send('');
