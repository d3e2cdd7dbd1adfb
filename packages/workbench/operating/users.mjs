// @ts-check
/**
 * Runs in the machine: signs in over https. With `LINK`, activates the account first; with `FILE`, goes on until the file exists; with
 * `FORWARDED`, says that it comes from this address; with `SERVICE`, calls the service there.
 */
export const signIn = `
import { existsSync } from 'node:fs';
import { get } from 'node:https';
// fetch is not used, because its Sec-Fetch-Mode is not that of a navigation.
const open = (url) => new Promise((resolve, reject) => {
  get(url, { headers: { accept: 'text/html' } }, (response) => resolve(response.resume())).on('error', reject);
});
const { LINK = '', FILE = '', FORWARDED = '', SERVICE = 'https://api.example.com' } = process.env;
const call = async (path, body) => {
  const response = await fetch(SERVICE + path, {
    method: 'POST', body: JSON.stringify(body),
    headers: {
      'Content-Type': 'application/json', Origin: 'https://login.example.com',
      ...(FORWARDED === '' ? {} : { 'X-Forwarded-For': FORWARDED }),
    },
  });
  if (!response.ok) throw new Error(path + ' responds with ' + response.status + ' ' + (await response.text()));
  return response.json();
};
const password = 'Front-door7';
const form = { password, confirm: password, hash: LINK.split('/').pop(), method: 'basic', firstName: 'Ada', lastName: 'Lovelace' };
if (LINK !== '') await call('/password-reset/v1/activate', form);
let count = 0;
do {
  await call('/auth/v1/token', { username: 'ada@example.com', method: 'basic', password });
  const { statusCode } = await open('https://login.example.com/login');
  if (statusCode !== 200) throw new Error('/login responds ' + statusCode);
  count += 1;
  await new Promise((resolve) => setTimeout(resolve, FILE === '' ? 0 : 1000));
} while (FILE !== '' && !existsSync(FILE));
console.log(count);
`;
