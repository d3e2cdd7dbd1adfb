import { cookieName } from './support/familyCookies';
import { password, people, refreshCall } from './support/people';
import { expect, test } from './support/test';

// Half of it has passed at the first look at the clock, five seconds in; the second look comes past the token's end.
test.use({ serviceSettings: { accessTokenSeconds: 10 } });

test.describe('Somebody who stays', { tag: '@long' }, () => {
  test('stays signed in past the end of the first token', async ({
    page,
    world,
    cookies,
    login,
    settings,
  }) => {
    await login.open();
    await login.signInAs(people.sam, password);
    await settings.expectOpen();
    const first = await cookies.read(cookieName.session);
    const firstRefresh = await cookies.read(cookieName.refresh);
    await expect.poll(async () => (await world.calls(refreshCall)).length).toBe(1);

    await expect.poll(() => cookies.read(cookieName.session)).not.toBe(first);
    const renewed = await cookies.read(cookieName.refresh);
    expect(renewed).not.toBe(firstRefresh);
    expect(await world.bodies(refreshCall)).toEqual([{ refresh: firstRefresh }]);
    expect(JSON.parse((await cookies.read(cookieName.session)) ?? '')).toMatchObject({
      authenticated: { refresh: renewed },
    });

    // The second refresh proves both: the first token is past its end, and the renewed one was used.
    await expect.poll(async () => (await world.calls(refreshCall)).length).toBe(2);
    expect(await world.bodies(refreshCall)).toEqual([{ refresh: firstRefresh }, { refresh: renewed }]);
    await expect(page).toHaveURL(`${world.origin('app')}/account-settings`);
    await expect(settings.logoutButton).toBeVisible();
  });

  test('is signed out when the service refuses to refresh', async ({
    page,
    world,
    cookies,
    login,
    settings,
    pageFaults,
  }) => {
    pageFaults.allow(/^Failed to load resource: .*401/);
    await world.fail({
      path: '/auth/v1/refresh',
      fault: { kind: 'answer', status: 401, body: { error: { message: 'No.', code: 'invalid_refresh' } } },
    });
    await login.open();
    await login.signInAs(people.sam, password);
    await settings.expectOpen();

    await expect(login.username).toBeVisible();
    await expect(page).toHaveURL(`${world.origin('app')}/login`);
    expect(await cookies.names()).toEqual([]);
    expect(await world.calls(refreshCall)).toHaveLength(1);
  });

  test('in two tabs makes one refresh, and both go on', async ({
    context,
    page,
    world,
    cookies,
    login,
    settings,
  }) => {
    await login.open();
    await login.signInAs(people.sam, password);
    await settings.expectOpen();
    const second = await context.newPage();
    await second.goto('/account-settings');
    await expect(second.getByRole('button', { name: 'Logout', exact: true })).toBeVisible();
    const first = await cookies.read(cookieName.session);
    await expect.poll(() => cookies.read(cookieName.session)).not.toBe(first);
    // The other tab looks at the clock within its five seconds and finds a young token.
    await expect.poll(async () => (await world.calls(refreshCall)).length).toBe(2);

    const sent = (await world.bodies(refreshCall)).map((body) => JSON.stringify(body));
    expect(new Set(sent).size).toBe(2);
    await expect(page).toHaveURL(/\/account-settings$/);
    await expect(second).toHaveURL(/\/account-settings$/);
  });

  test('and whose refresh is answered into the void stays signed in', async ({
    page,
    world,
    cookies,
    login,
    settings,
    pageFaults,
  }) => {
    pageFaults.allow(/^Failed to load resource: /);
    await world.fail({ path: '/auth/v1/refresh', times: 1, fault: { kind: 'lost' } });
    await login.open();
    await login.signInAs(people.sam, password);
    await settings.expectOpen();
    const first = await cookies.read(cookieName.refresh);
    await expect.poll(() => cookies.read(cookieName.refresh)).not.toBe(first);

    // The spent token was sent once more, soon enough for the service not to take it for a stolen one.
    const bodies = await world.bodies(refreshCall);
    expect(bodies.slice(0, 2)).toEqual([{ refresh: first }, { refresh: first }]);
    await expect(page).toHaveURL(/\/account-settings$/);
  });
});
