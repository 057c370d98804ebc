// `npm run setup`: puts in place all that Leash needs. Plain Node only, since nothing is installed yet when it runs.
// This file keeps to syntax that old versions of Node can read, so that they reach the sentence below.
const NEEDED = 20;

if (Number.parseInt(process.versions.node, 10) < NEEDED) {
  console.error(
    `Leash needs Node ${NEEDED} or newer, and this is ${process.versions.node}: install a newer one (nodejs.org), then run \`npm run setup\` again.`,
  );
  process.exitCode = 1;
} else {
  import('./setup/steps.mjs')
    .then((steps) => steps.setUp())
    .then((exitCode) => {
      process.exitCode = exitCode;
    })
    .catch((error) => {
      console.error(error);
      process.exitCode = 1;
    });
}
