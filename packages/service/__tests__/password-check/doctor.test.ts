import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { formatFinding } from '../../src/platform/doctor/findings.ts';
import { passwordFindings } from '../../src/password-check/doctor.ts';
import { buildPasswordFilter } from '../../src/password-check/passwordFilter.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-doctor-'));
const file = (name: string): string => path.join(folder, name);
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('the list of breached passwords', () => {
  const list = file('list');
  /** The output of the doctor on a machine with a process, or on another one. */
  const said = async (variables: object, now = Date.now(), isElsewhere = false) => {
    const secrets = file(isElsewhere ? 'gone' : 'database-url');
    writeFileSync(file('database-url'), '');
    const environment = { DATABASE_URL_FILE: secrets, PASSWORD_CHECK: 'on', ...variables };
    const findings = await passwordFindings({ environment }, now);
    return findings.map(formatFinding);
  };
  const imported = async (entries: number): Promise<void> => {
    const words = Array.from({ length: entries }, (_none, index) => `in ${index}`);
    writeFileSync(file('source'), words.join('\n'));
    await buildPasswordFilter(file('source'), list);
    const day = new Date('2026-03-01T12:00:00Z');
    utimesSync(list, day, day);
  };
  const advice = '\n         Import a list of breached passwords (docs/operations.md#breached-passwords).';

  it('is not looked for without the extension', async () => {
    expect(await said({ PASSWORD_CHECK: 'off' })).toEqual([]);
  });

  it('is warned about where only common passwords are refused', async () => {
    expect(await said({})).toEqual([
      `warning  breached passwords: PASSWORD_LIST is not set: only common passwords are refused.${advice}`,
    ]);
  });

  it('is wrong where it is missing or something else, and not checked on other machines', async () => {
    rmSync(list, { force: true });
    const missing = `${list} cannot be read here (ENOENT).`;
    expect(await said({ PASSWORD_LIST: list })).toEqual([`WRONG    breached passwords: ${missing}${advice}`]);
    expect(await said({ PASSWORD_LIST: list }, Date.now(), true)).toEqual([
      `skipped  breached passwords: ${list}: ${missing}`,
    ]);
    writeFileSync(list, 'password\n');
    expect(await said({ PASSWORD_LIST: list })).toEqual([
      `WRONG    breached passwords: ${list} is not a list that \`vestibule passwords import\` has written.${advice}`,
    ]);
  });

  it('is shown with its size and day, and warned about where it is small or a year old', async () => {
    await imported(100_000);
    expect(await said({ PASSWORD_LIST: list }, Date.parse('2027-02-28'))).toEqual([
      `ok       breached passwords: ${list}: 100,000 entries (0.2 MB), imported on 2026-03-01`,
    ]);
    expect(await said({ PASSWORD_LIST: list }, Date.parse('2027-03-02'))).toEqual([
      `warning  breached passwords: ${list} was imported more than a year ago, on 2026-03-01.${advice}`,
    ]);
    await imported(99_999);
    expect(await said({ PASSWORD_LIST: list }, Date.parse('2026-03-02'))).toEqual([
      `warning  breached passwords: ${list} has only 99,999 entries (0.2 MB).${advice}`,
    ]);
  });
});
