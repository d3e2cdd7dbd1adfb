/**
 * Checks a service from the command line:
 *
 *     CONFORMANCE_USERNAME=… CONFORMANCE_PASSWORD=… [CONFORMANCE_CLIENT_ID=… CONFORMANCE_CLIENT_SECRET=…] \
 *       npm run conformance -- https://api.example.com [login origin] [--extensions revoke,…]
 *
 * Credentials come from the environment, because every process of the machine can read arguments.
 */
import { parseArgs } from 'node:util';
import { runConformance } from './conformance.ts';
import { extensionNames } from './document.ts';

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { extensions: { type: 'string', default: '' } },
  });
  const [baseUrl, origin] = positionals;
  if (baseUrl === undefined || !URL.canParse(baseUrl)) {
    console.error('Give the base URL of the service, such as https://api.example.com.');
    return 2;
  }
  const extensions = values.extensions.split(',').filter((name) => name !== '');
  const known = extensionNames();
  if (!extensions.every((name) => known.includes(name))) {
    console.error(`The contract's extensions are: ${known.join(', ')}.`);
    return 2;
  }
  const { CONFORMANCE_USERNAME: username, CONFORMANCE_PASSWORD: password } = process.env;
  const { CONFORMANCE_CLIENT_ID: id, CONFORMANCE_CLIENT_SECRET: secret } = process.env;
  const results = await runConformance({
    baseUrl: baseUrl.replace(/\/+$/, ''),
    extensions,
    ...(origin === undefined ? {} : { origin }),
    ...(username === undefined || password === undefined ? {} : { account: { username, password } }),
    ...(id === undefined || secret === undefined ? {} : { client: { id, secret } }),
  });
  for (const { call, rule, outcome, detail } of results) {
    console.log(`${outcome.padEnd(8)}${call}: ${rule}${detail === undefined ? '' : ` (${detail})`}`);
  }
  const count = (outcome: string): number => results.filter((result) => result.outcome === outcome).length;
  console.log(`${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`);
  return count('failed') === 0 ? 0 : 1;
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error);
    process.exitCode = 2;
  },
);
