// Checks binary glTF files with the validator of the Khronos Group: prints a line for each error and each warning. The exit code
// is 3 where there is no validator.
'use strict';
const fs = require('fs');
const path = require('path');

let validator;
try {
  validator = require('gltf-validator');
} catch {
  process.exit(3);
}

const WARNING = 1;

async function check(file) {
  const beside = async (uri) => new Uint8Array(fs.readFileSync(path.join(path.dirname(file), decodeURIComponent(uri))));
  const options = { uri: path.basename(file), maxIssues: 20, externalResourceFunction: beside };
  const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), options);
  const issues = report.issues.messages.filter((issue) => issue.severity <= WARNING);
  for (const issue of issues) {
    console.log(`${options.uri}: ${issue.code} at ${issue.pointer}: ${issue.message}`);
  }
  return issues.length;
}

(async () => {
  let found = 0;
  for (const file of process.argv.slice(2)) {
    found += await check(file);
  }
  process.exitCode = found > 0 ? 1 : 0;
})();
