#!/usr/bin/env node
import 'reflect-metadata';
import { runCommand } from './command.js';

const { code, output, errors } = await runCommand(process.argv.slice(2));
if (errors !== '') process.stderr.write(`${errors}\n`);
if (output !== '') process.stdout.write(`${output}\n`);
// An application may keep timers and connections that its shutdown hooks do not know.
process.exit(code);
