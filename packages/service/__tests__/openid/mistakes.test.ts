import { both, describeMistakes, guide, page, service, without } from '../support/mistakes.ts';

const reports = { id: 'reports', name: 'Reports' };

describe('a mistake', () => {
  describeMistakes([
    [
      'clients without their extension',
      `service.clients has no effect: page.extensions does not list openid or confirmations. ${guide}`,
      service({ clients: [reports] }),
    ],
    [
      'a client with a missing file of its secret',
      "The secretFile of the client 'reports': ENOENT: no such file or directory, open 'FOLDER/none'",
      both(
        without('passkeys'),
        page({ extensions: ['openid'] }),
        service({ clients: [{ ...reports, secretFile: 'none' }] }),
      ),
    ],
  ]);
});
