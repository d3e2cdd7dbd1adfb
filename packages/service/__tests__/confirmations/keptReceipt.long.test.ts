import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { JWK } from 'jose';
import { findAuthlib } from '../../../../scripts/setup/programs.mjs';
import { sms } from '../support/secondStep.ts';
import { startTestService } from '../support/testService.ts';
import { withClients, payment, paymentCalls } from './payments.ts';

const python = findAuthlib();
// Without Authlib (apt-get install python3-authlib) it is reported as skipped.
const describeWithAuthlib = python === null ? describe.skip : describe;

/** The program of the guide. */
const guide = readFileSync(path.join(__dirname, '../../../../docs/payments.md'), 'utf8');
const [, program = ''] = /^```python\n(.*?)^```$/ms.exec(guide) ?? [];

describeWithAuthlib('a receipt', () => {
  it('is verified by Authlib with the key that was kept with it, as the guide says', async () => {
    await using service = await startTestService(withClients({ id: 'ledger' }));
    const { ask, confirmByText, receiptOf } = paymentCalls(service);
    const { bearer, uid } = await service.signedIn({ mfa: sms });
    const id = await ask(uid);
    await confirmByText(bearer, id);
    const { receipt } = await receiptOf(id);
    const keys = async () => (await service.get('/.well-known/jwks.json')).body['keys'] as readonly JWK[];
    const [key] = await keys();
    await service.directory.keys.rotate();
    service.passSeconds(900);
    await service.directory.keys.revoke(key?.kid ?? '');
    // Each process reads the keys again twice a second.
    while ((await keys()).some(({ kid }) => kid === key?.kid)) await new Promise(setImmediate);

    const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-'));
    const verify = (jws: string): string => {
      const files = ['receipt', 'key.json'].map((name) => path.join(folder, name));
      writeFileSync(files[0] ?? '', jws);
      writeFileSync(files[1] ?? '', JSON.stringify(key));
      return execFileSync(python ?? '', ['-c', program, ...files], { encoding: 'utf8', stdio: 'pipe' });
    };
    expect(JSON.parse(verify(receipt ?? ''))).toMatchObject({
      jti: id,
      sub: uid,
      ...payment,
      method: 'text',
    });
    const [header, claims, signature] = (receipt ?? '').split('.');
    const changed = Buffer.from(claims ?? '', 'base64url')
      .toString()
      .replace('149.90', '949.90');
    expect(() => verify([header, Buffer.from(changed).toString('base64url'), signature].join('.'))).toThrow(
      'BadSignatureError',
    );
  });
});
