/* The inline script of the page; `scripts/build/firstStep.js` inserts it. */
import { showFirstStep } from './inlineLogin';

showFirstStep();
