#!/usr/bin/env node
import { parseArgs } from 'node:util';

const usage = `vestibule-local [options]     the sign-on page, its service, providers, outbox and accounts, on this machine

  --port PORT                 default 4000
  --fresh                     forget all accounts, sessions and messages first
  --application ORIGIN        an application of yours, such as http://orders.payments.localhost:3000: the page may redirect
                              there, and the application may embed it and call the service; may be repeated
  --client ID                 a client of yours, which has payments confirmed; its secret is printed
  --service-url URL           your own service instead of the bundled one

The state is kept in .vestibule/ of this folder.`;

/** The options on the command line. @throws Error for others. */
function given() {
  return parseArgs({
    options: {
      help: { type: 'boolean' },
      port: { type: 'string' },
      fresh: { type: 'boolean' },
      application: { type: 'string', multiple: true },
      client: { type: 'string' },
      'service-url': { type: 'string' },
    },
  }).values;
}

try {
  const { help = false, port, fresh = false, application = [], client, ...others } = given();
  const serviceUrl = others['service-url'];
  if (help) console.log(usage);
  else {
    const { start } = await import('./start.ts');
    await start({
      port,
      fresh,
      applications: application,
      stateFolder: '.vestibule',
      ...(client === undefined ? {} : { client }),
      ...(serviceUrl === undefined ? {} : { serviceUrl }),
    });
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
