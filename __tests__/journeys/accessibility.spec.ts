import { expectAccessible } from './support/accessible';
import { failedRequest } from './support/pageFaults';
import { passwordTours } from './support/passwordTours';
import { signInTours } from './support/signInTours';
import { test } from './support/test';
import { twoStepTours } from './support/twoStepTours';

const tours = { ...signInTours, ...twoStepTours, ...passwordTours };

for (const { look, query, details } of [
  { look: 'default', query: '', details: {} },
  { look: 'e-pay', query: '?application=e-pay', details: { tag: '@long' } },
]) {
  test.describe(`In the ${look} look, everybody can use`, details, () => {
    for (const [subject, tour] of Object.entries(tours)) {
      test(
        subject,
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
