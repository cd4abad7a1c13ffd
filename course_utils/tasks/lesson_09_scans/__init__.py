"""The exercises of lesson 09: loops that look sequential but are scans."""
