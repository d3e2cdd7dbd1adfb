import { parse, stringify } from 'yaml';
import { readDeployment } from '../../src/deployment.ts';
import { createTestDeployment } from '../support/testDeployment.ts';

test('words of the brands and of the deployment are refused as passwords, with the extension only', async () => {
  const { deployment, remove } = await createTestDeployment();
  remove();
  type Part = Record<string, unknown>;
  const words = (extensions: readonly string[], passwordWords: readonly string[]) => {
    const { page, service, ...rest } = parse(deployment) as { page: Part; service: Part };
    delete page['passkeys'];
    const brands = { ...(page['brands'] as object), default: { label: 'Riverbank, Inc.', look: 'default' } };
    const changed = {
      ...rest,
      page: { ...page, extensions, brands },
      service: { ...service, passwordWords },
    };
    return readDeployment(stringify(changed)).environment['PASSWORD_WORDS'];
  };
  expect(words(['password-check'], ['Tower 42'])?.split(',')).toEqual(
    expect.arrayContaining(['Riverbank  Inc.', 'Tower 42']),
  );
  expect(() => words([], ['Tower 42'])).toThrow(
    'service.passwordWords has no effect: page.extensions does not list password-check.',
  );
  for (const word of ['Hub', 'a,bcd'])
    expect(() => words(['password-check'], [word])).toThrow(
      'service.passwordWords.0 must be a word of four characters or more, without a comma.',
    );
});
