import type { ParityCase } from './parity.row.js';

/** @file The rows of what applications put before their routes. Data alone, since the libraries load in CommonJS only. */

const ann = { 'x-user': 'ann' };

export const LIBRARY_CASES: readonly ParityCase[] = [
  {
    title: 'security headers (helmet, @fastify/helmet)',
    tool: 'plain',
    args: {},
    http: ['GET', '/libraries/plain'],
    status: 200,
    holds: '"plain":true',
  },
  {
    title: 'cookies (cookie-parser, @fastify/cookie), one that the options carry over',
    tool: 'lang',
    args: {},
    http: ['GET', '/libraries/lang'],
    headers: { cookie: 'lang=de' },
    status: 200,
    holds: '"lang":"de"',
  },
  {
    title: "Nest's own cookies, one that is an argument",
    tool: 'theme',
    args: { cookie: { theme: 'dark' } },
    http: ['GET', '/libraries/theme'],
    httpHeaders: { cookie: 'theme=dark' },
    status: 200,
    holds: '"theme":"dark"',
  },
  {
    title: 'a session of HTTP (express-session, @fastify/session)',
    tool: 'session',
    args: {},
    http: ['GET', '/libraries/session'],
    headers: { 'x-with-session': 'yes' },
    status: 200,
    holds: '"user":"ann"',
  },
  {
    title: 'a session that a tool call begins',
    tool: 'begin_session',
    args: {},
    http: ['POST', '/libraries/session'],
    status: 201,
    holds: '"begun":true',
    alsoDiffers: 'no headers in a result',
  },
  {
    title: 'compression (compression, @fastify/compress)',
    tool: 'long',
    args: {},
    http: ['GET', '/libraries/long'],
    status: 200,
    holds: 'xxxx',
  },
  {
    title: 'a CSRF token (csrf-sync, @fastify/csrf-protection) that the options carry over',
    tool: 'protected',
    args: {},
    http: ['POST', '/libraries/protected'],
    headers: { 'x-with-session': 'yes', 'x-with-token': 'yes' },
    status: 201,
    holds: '"protected":true',
  },
  {
    title: 'no CSRF token',
    tool: 'protected',
    args: {},
    http: ['POST', '/libraries/protected'],
    headers: { 'x-with-session': 'yes' },
    status: 403,
    holds: 'csrf',
  },
  {
    title: 'an AsyncLocalStorage of nestjs-cls',
    tool: 'cls',
    args: {},
    http: ['GET', '/libraries/cls'],
    headers: ann,
    status: 200,
    holds: '"user":"ann","url":"/libraries/cls"',
  },
];

/** Each request counts once over HTTP and once as a call: rows in pairs of two limits. */
export const THROTTLER_TITLES = [
  '@nestjs/throttler without trust proxy: one bucket for each socket, whatever X-Forwarded-For says',
  '@nestjs/throttler with trust proxy: one bucket for each client of the proxy',
] as const;

export const CSRF_CASES: readonly ParityCase[] = [
  {
    title: "Nest's own CSRF protection: a request that no browser made",
    tool: 'change',
    args: {},
    http: ['POST', '/libraries/change'],
    status: 201,
    holds: '"changed":true',
  },
  {
    title: "Nest's own CSRF protection: a cross-site request of a browser",
    tool: 'change',
    args: {},
    http: ['POST', '/libraries/change'],
    httpHeaders: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    status: 403,
    holds: '403',
    differs: 'no browser behind a call',
    toolSays: '"changed":true',
    toolSucceeds: true,
  },
];
