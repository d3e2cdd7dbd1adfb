import { parse, stringify } from 'yaml';
import { elementFindings } from '../../src/confirmations/doctor.ts';
import { readDeployment } from '../../src/deployment.ts';
import { readEnvironment } from '../../src/environment.ts';
import { createTestDeployment } from '../support/testDeployment.ts';
import { minimal } from '../support/vestibule.ts';

it.each(['0', '168'])('an operator says how long new passkeys and phones wait: %s hours', (hours) => {
  const { service } = readEnvironment({ ...minimal, CONFIRMATION_ENROLMENT_HOURS: hours });
  expect(service.confirmationEnrolmentHours).toBe(Number(hours));
});

it.each([
  ['without payments', {}, []],
  ['where users are told of them', { CONFIRMATION_ENROLMENT_HOURS: '24', NOTICES: 'on' }, ['ok']],
  ['that confirm payments at once', { CONFIRMATION_ENROLMENT_HOURS: '0' }, ['ok']],
  ['of which nobody is told', { CONFIRMATION_ENROLMENT_HOURS: '24' }, ['warning']],
])('the doctor looks at new passkeys and phones %s', async (_where, environment, expected) => {
  const findings = await elementFindings({ environment });
  expect(findings.map(({ outcome }) => outcome)).toEqual(expected);
});

it('settings of payments without the extension are refused', async () => {
  const { deployment, remove } = await createTestDeployment();
  remove();
  const file = parse(deployment) as { service: Record<string, unknown> };
  file.service['confirmations'] = { enrolmentHours: 0 };
  expect(() => readDeployment(stringify(file))).toThrow(
    'service.confirmations has no effect: page.extensions does not list confirmations.',
  );
});
