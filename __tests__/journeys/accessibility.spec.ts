import { expectAccessible } from './support/accessible';
import { failedRequest } from './support/pageFaults';
import { passwordTours } from './support/passwordTours';
import { signInTours } from './support/signInTours';
import { test } from './support/test';
import { twoStepTours } from './support/twoStepTours';

const tours = { ...signInTours, ...twoStepTours, ...passwordTours };

/** One for each kind of form; the others have the same components. */
const quick: readonly string[] = [
  'the login',
  'the settings, the page of an expired link and the last line of a provider’s window',
  'setting up an authenticator app',
  'a change of password',
];

for (const { look, query } of [
  { look: 'default', query: '' },
  { look: 'e-pay', query: '?application=e-pay' },
]) {
  test.describe(`In the ${look} look, these screens are accessible:`, () => {
    for (const [subject, tour] of Object.entries(tours)) {
      test(
        subject,
        look === 'default' && quick.includes(subject) ? {} : { tag: '@long' },
        async ({ page, world, login, twoStep, codes, passwords, signedInAs, openProvider, pageFaults }) => {
          // Six screens, each in two colour schemes.
          test.setTimeout(180_000);
          pageFaults.allow(failedRequest(401));
          const walker = { page, world, login, twoStep, codes, passwords, signedInAs, openProvider };
          await tour(walker, query, async (screen, time) => {
            await test.step(screen, () => expectAccessible(page, time));
          });
        },
      );
    }
  });
}
