import { readFileSync } from 'node:fs';
import { accountOf } from '../support/accountOf';
import { failedRequest } from '../support/pageFaults';
import { password } from '../support/users';
import { hearConsoles, holding, tracesOf, tracesOfCookies } from '../support/secretTraces';
import { expect, test } from '../support/test';

const eve = 'eve@payments.example';
const app = { type: 'mfa', secret: 'KVKFKRCPNZQUYMLXOVYDSQKJKZDTSRLD' } as const;

test.describe('Recovery codes', () => {
  test('are created in the settings, saved by the user, and sign in once without the app', async ({
    page,
    context,
    environment,
    login,
    codes,
    settings,
    twoStep,
    signedInAs,
    pageFaults,
  }) => {
    pageFaults.allow(failedRequest(401));
    const said = hearConsoles(context);
    await environment.account(accountOf(eve, {}));
    await signedInAs(eve);
    await environment.account(accountOf(eve, { mfa: app }));
    await settings.open();
    await expect(twoStep.section.getByText('No recovery codes', { exact: true })).toBeVisible();
    await twoStep.section.getByRole('button', { name: 'Get Recovery Codes' }).click();
    await twoStep.verify();
    // Outside the section, which is hidden in the print.
    const list = page.getByRole('list', { name: 'Recovery codes' });
    await expect(list.getByRole('listitem')).toHaveCount(10);
    const made = await list.getByRole('listitem').allTextContents();
    const [first = '', second = ''] = made;
    expect(first).toMatch(/^(?:[0-9A-Z]{4}-){3}[0-9A-Z]{4}$/);

    const saving = page.waitForEvent('download');
    await twoStep.section.getByRole('button', { name: 'Download' }).click();
    const file = readFileSync(await (await saving).path(), 'utf8');
    expect(file).toContain(`Account: ${eve}`);
    for (const code of made) expect(file).toContain(code);

    // The print has only the product, the account, the day and the codes.
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByText(`Account: ${eve}`)).toBeVisible();
    await expect(page.getByText(/: recovery codes$/)).toBeVisible();
    await expect(list).toBeVisible();
    await expect(settings.logoutButton).toBeHidden();
    await page.emulateMedia({ media: null });

    const done = twoStep.section.getByRole('button', { name: 'Done' });
    await expect(done).toBeDisabled();
    await twoStep.section.getByLabel('I have saved these codes').check();
    await done.click();
    await expect(twoStep.section.getByText('10 recovery codes left', { exact: true })).toBeVisible();
    await expect(twoStep.section.getByRole('heading', { level: 2 })).toBeFocused();
    const left = { ...(await tracesOf(page)), ...(await tracesOfCookies(context)), console: said() };
    expect(holding(left, first)).toEqual([]);

    await settings.logoutButton.click();
    await login.signInAs(eve, password);
    await codes.expectAtSignIn();
    await page.getByRole('link', { name: 'Use a Recovery Code' }).click();
    const field = page.getByLabel('Recovery code', { exact: true });
    await expect(field).toBeFocused();
    await expect(codes.code).toBeHidden();
    await field.fill('7F3K-9QXA-2MVD-H4TE');
    await codes.submitButton.click();
    await codes.wrongCode.getByRole('button', { name: 'Ok' }).click();
    await expect(field).toHaveValue('');
    await field.fill(` ${first.toLowerCase().replaceAll('-', ' ')} `);
    await codes.submitButton.click();
    await settings.expectOpen();
    await expect(twoStep.section.getByText('9 recovery codes left', { exact: true })).toBeVisible();

    await settings.logoutButton.click();
    await login.signInAs(eve, password);
    await page.getByRole('link', { name: 'Use a Recovery Code' }).click();
    await field.fill(first);
    await codes.submitButton.click();
    await codes.wrongCode.getByRole('button', { name: 'Ok' }).click();
    await field.fill(second);
    await page.getByRole('link', { name: 'Use a Code Instead' }).click();
    await expect(codes.code).toBeVisible();
  });
});
