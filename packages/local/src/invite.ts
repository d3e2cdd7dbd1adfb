/** `npm run invite`: makes a link in the local environment that runs, and prints it. */
import { invite } from './control/invite.ts';

void invite(process.argv.slice(2), process.env['PORT']).then(({ done, text }) => {
  if (done) console.log(text);
  else console.error(text);
  process.exitCode = done ? 0 : 1;
});
