"""The exercises and the practice of lesson 09: loops that look sequential but are scans."""
