import { findBrowser } from './support/find-browser.ts';

// For .ci/run: whether `npm run test:browser` can run here.
try {
  console.log(`browser: ${findBrowser()}`);
} catch (error) {
  console.log(`The browser tests are left out. ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
