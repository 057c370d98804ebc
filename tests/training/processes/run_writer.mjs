// Writes a run as the trainer does, as fast as it can, until it is killed. All files of a step hold that step alone, so
// that a mixture of two would show. Usage: run_writer.mjs <URL of run_directory> <run> <config as JSON>
const [, , moduleUrl, path, config] = process.argv;
const { createRun } = await import(moduleUrl);

const run = createRun(path, JSON.parse(config));
const files = (step) => new Map(['policy.onnx', 'policy.json', 'learner.safetensors'].map((name) => [name, `${step} `.repeat(20_000)]));
process.stdout.write('ready\n');
for (let step = 1; ; step++) {
  run.metrics.append({ step, loss: step });
  run.writeStatus({ state: 'running', step, totalSteps: 1e6, why: null });
  if (step % 3 === 0) run.writeCheckpoint(step, files(step));
  else run.publishPolicy(step, files(step));
  // Lets the parent's kill in between any two of these, and keeps the loop from starving the machine.
  await new Promise((resolve) => setImmediate(resolve));
}
