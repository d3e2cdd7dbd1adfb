import { slots } from '../../src/slots.ts';

// An event whose notice has no text would be refused where notices are on.
test('Each notice has a text, for successes and failures', () => {
  const named = Object.values(slots.auditEvents).flatMap(({ notice, noticeOfFailure }) => [
    ...(notice === undefined ? [] : [notice]),
    ...(noticeOfFailure === undefined ? [] : [noticeOfFailure]),
  ]);
  expect(named).toContain('new-device');
  expect(Object.keys(slots.noticeTexts)).toEqual(expect.arrayContaining(named));
});
