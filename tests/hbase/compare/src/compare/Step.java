package compare;

import java.util.List;

/**
 * One operation of a campaign. {@code kind} is the name under which it is counted, {@code text} shows it with its
 * arguments. A step holds its request ready made, so that each server gets the same one.
 */
record Step(String kind, String text, boolean writes, Body body) {
  /** Sends the request to a server and returns the lines of the answer. An exception is an answer too. */
  interface Body {
    List<String> send(Target target) throws Exception;
  }
}
