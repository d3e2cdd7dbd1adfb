import { startTestService } from '../support/testService.ts';

test('Metrics do not show a message as waiting before it may be sent', async () => {
  await using other = await startTestService({ notices: true });
  await other.write();
  await other.signIn();
  expect(await other.directory.messages.pending()).toMatchObject([{ kind: 'notice-new-device' }]);
  expect(await other.service.metrics.metrics()).toContain('vestibule_outbox_messages{state="waiting"} 0');
  other.passSeconds(75);
  const turn = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
  expect(await other.service.metrics.metrics()).toContain('vestibule_outbox_oldest_seconds 15');
  turn.mockRestore();
});
