/** Forms of text that know nothing of plans: JSON as it is laid out in all answers and files. */
package stowage.text;
