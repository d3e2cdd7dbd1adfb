import { statSync } from 'node:fs';
import { SegmentedMessage } from 'sms-segments-calculator';
import { settingsFrom, type ServiceSettings } from '../core/settings/options.ts';
import { readEnvironment, secretVariables } from '../environment.ts';
import type { Logger } from '../index.ts';
import { readDeploymentFile, variables } from './deploymentInUse.ts';
import { codeMessage } from '../mfa/textCode.ts';
import { wordedForPhone } from '../platform/texts/texts.ts';
import { providedPorts } from './providedPorts.ts';
import { outboxOf } from '../start.ts';
import { tryStart } from '../tryStart.ts';

/**
 * Prints whether the start with a file would succeed, what the start would change, and what it would warn of.
 *
 * @throws Error as the start.
 */
export async function check(file: string): Promise<void> {
  const deployment = readDeploymentFile(file);
  const given = variables(deployment);
  const { missing, isEmpty, newer } = await tryStart(given, deployment, printWarnings, providedPorts(file));
  for (const name of secretVariables) {
    const secret = given[`${name}_FILE`];
    if (secret !== undefined && (statSync(secret).mode & readableByAll) !== 0)
      console.log(`Warning: every user of this machine can read ${secret} (${name}_FILE).`);
  }
  const environment = readEnvironment(given);
  const settings = settingsFrom(environment.service);
  if (outboxOf(environment).sendTextMessage !== undefined)
    for (const sentence of longTextCodes(settings)) console.log(`Warning: ${sentence}.`);
  const languages = settings.languages.map((one, index) => (index === 0 ? `${one} (the default)` : one));
  console.log(`Languages: ${languages.join(', ')}.`);
  if (isEmpty) console.log('The database is empty: the start makes the schema.');
  else if (missing.length > 0) console.log(`The start migrates the database: ${missing.join(', ')}.`);
  if (newer.length > 0)
    console.log(
      `The database is that of a newer release (${newer.join(', ')}). Only the release before that one works with it.`,
    );
  if (process.getuid?.() === 0)
    console.log(
      'This was checked as root. The user of the service may not be permitted to read the same files.',
    );
  console.log(`${file} is valid, and the start succeeds.`);
}

/** Warns of the languages in which a code needs several text messages, because each message costs money. */
export function longTextCodes(
  settings: Pick<ServiceSettings, 'productName' | 'links' | 'languages' | 'textCodeSeconds'>,
): readonly string[] {
  const { productName: name, links, textCodeSeconds } = settings;
  const { text, suffix } = codeMessage('000000', textCodeSeconds, settings);
  const odd = new SegmentedMessage(name).getNonGsmCharacters().join(' ');
  const parts = `${name.length} of PRODUCT_NAME and ${new URL(links.signOnUrl).hostname.length} of the host`;
  return settings.languages.flatMap((language) => {
    const { segmentsCount, encodingName, messageSize } = new SegmentedMessage(
      wordedForPhone(text, language) + suffix,
    );
    if (segmentsCount === 1) return [];
    const [most, bits] = encodingName === 'GSM-7' ? [160, 7] : [70, 16];
    const because = odd === '' ? '' : `, because PRODUCT_NAME has ${odd}`;
    return `a code in ${language} needs ${segmentsCount} text messages: it has ${messageSize / bits} characters, ${parts}, and one message holds ${most}${because}`;
  });
}

/** The bit of a mode with which everybody may read a file. */
const readableByAll = 0o004;

const ignore = (): void => undefined;
const print: Logger['warn'] = (event, fields = {}) => {
  console.log(`Warning: ${[event, ...Object.values(fields)].join(': ')}.`);
};
const printWarnings: Logger = { info: ignore, warn: print, error: print };
