/** Planning as a service on stdin and stdout: requests and answers as lines of JSON. */
package stowage.cli.serve;
