import { Application, Browser, reports, startProvider } from './application.ts';

test('a client may introspect no tokens without an audience of others, with an address or without', async () => {
  await using service = await startProvider([
    { ...reports, id: 'plain', url: undefined },
    { ...reports, id: 'curious', url: undefined },
    { ...reports, id: 'addressed' },
  ]);
  await service.write();
  const browser = new Browser(service);
  await browser.signIn();
  const { access, refresh } = await new Application(service, 'plain').tokens(browser);
  const answers = async (id: string, token: string) =>
    (await new Application(service, id).post('/oidc/introspection', { token })).body;
  for (const token of [access, refresh]) {
    for (const other of ['curious', 'addressed'])
      expect([other, await answers(other, token)]).toEqual([other, { active: false }]);
    expect(await answers('plain', token)).toMatchObject({ active: true, client_id: 'plain' });
  }
});
